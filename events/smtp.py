"""Handing mail over to a server by SMTP (RFC 5321), telling apart what was taken, refused, and not known."""

import re
import smtplib
import ssl
from email.message import EmailMessage

from events.actions.deliveries import Outcome
from events.mail_settings import MailServer
from models.message import MailState

SECONDS = 30.0
"""The longest that one step may take."""
CLOSING = 421
"""RFC 5321, 3.8: the server ends the connection, whatever was asked."""


class Line:
    """A connection to the mail server, opened when the first mail needs it and kept for the next ones."""

    def __init__(self, server: MailServer, seconds: float = SECONDS) -> None:
        """Prepare only; nothing is opened yet."""
        self.server = server
        self.seconds = seconds
        self.smtp: smtplib.SMTP | None = None

    def hand_over(self, mail: EmailMessage, to: str) -> Outcome:
        """Try to hand over one mail, once. Never raises what a server or a network can do."""
        try:
            smtp = self.smtp or self._open()
        except smtplib.SMTPAuthenticationError as refused:
            self.close()
            return _later("the mail server does not take our user and password", refused.smtp_code, b"", to)
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            return _later(f"the mail server cannot be reached: {_why(error)}", 0, b"", to)
        body = mail.as_bytes(policy=mail.policy.clone(linesep="\r\n"))
        try:
            for step in (smtp.mail(self.server.sender.addr_spec), smtp.rcpt(to), smtp.docmd("DATA")):
                if step[0] not in (250, 251, 354):
                    return self._refused(*step, to)
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            return _later(f"the connection to the mail server broke: {_why(error)}", 0, b"", to)
        try:
            smtp.send(re.sub(rb"(?m)^\.", b"..", body) + b".\r\n")  # RFC 5321, 4.5.2; the body ends with a line end
            code, said = smtp.getreply()
        except (OSError, smtplib.SMTPException) as error:
            # From here on the server may have taken it: only its answer would tell.
            self.close()
            return Outcome(
                MailState.UNSURE, f"the connection broke before the mail server said whether it took it: {_why(error)}"
            )
        return Outcome(MailState.SENT) if code == 250 else self._refused(code, said, to)

    def close(self) -> None:
        """End the connection, politely where it still stands."""
        smtp, self.smtp = self.smtp, None
        if smtp is not None:
            try:
                smtp.quit()
            except (OSError, smtplib.SMTPException):
                smtp.close()

    def _open(self) -> smtplib.SMTP:
        server, context = self.server, ssl.create_default_context()
        if server.scheme == "smtps":
            self.smtp = smtplib.SMTP_SSL(server.host, server.port, timeout=self.seconds, context=context)
        else:
            self.smtp = smtplib.SMTP(server.host, server.port, timeout=self.seconds)
        if server.scheme == "smtp+starttls":
            self.smtp.starttls(context=context)
        self.smtp.ehlo_or_helo_if_needed()
        if server.user:
            self.smtp.login(server.user, server.password)
        return self.smtp

    def _refused(self, code: int, said: bytes, to: str) -> Outcome:
        """The server's answer to one mail: for good (5xx), for now (4xx), or its good-bye."""
        if code == CLOSING:
            self.close()
            return _later("the mail server is closing", code, said, to)
        try:
            if self.smtp is not None:
                self.smtp.rset()
        except (OSError, smtplib.SMTPException):
            self.close()
        state = MailState.FAILED if 500 <= code < 600 else MailState.QUEUED
        return Outcome(state, _words("the mail server refused it", code, said, to))


def _later(words: str, code: int, said: bytes, to: str) -> Outcome:
    return Outcome(MailState.QUEUED, _words(words, code, said, to), server_down=True)


def _words(words: str, code: int, said: bytes, to: str) -> str:
    """What the organiser reads: the server's own words, printable, without the address."""
    told = said.decode("utf-8", "replace").replace(to, "the address")
    plain = " ".join("".join(c if c.isprintable() else " " for c in told).split())
    return f"{words}{f' ({code}' if code else ''}{f' {plain[:160]}' if code and plain else ''}{')' if code else ''}"


def _why(error: Exception) -> str:
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
    return " ".join(str(told).split())[:120]
