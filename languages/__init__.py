"""The languages of pages, mails and sheets: gettext catalogues, and the functions that word a text for its reader."""
