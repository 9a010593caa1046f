"""Handing a mail over by SMTP. No page waits for it."""

import re
import smtplib
import ssl
from email.message import EmailMessage

from events.messages.dispatching import Outcome
from events.messages.outgoing import shut_down
from models.dispatch import DispatchState
from service.conversations import GRACE, conversation
from service.settings import MailServer

SECONDS, LONGEST = 30.0, 90.0
"""The time limits for one step of a connection, and for one mail, with connecting."""
CLOSING = 421
"""RFC 5321, 3.8: the server ends the connection."""


class Connection:
    """A connection to the mail server, opened for the first mail and kept for the next ones."""

    def __init__(self, server: MailServer, seconds: float = SECONDS, longest: float = LONGEST) -> None:
        self.server = server
        self.seconds, self.longest = seconds, longest
        self.smtp: smtplib.SMTP | None = None
        self.down = ""
        """Why the server accepts no mail now; "" if it does."""

    def send(self, mail: EmailMessage, to: str) -> Outcome:
        """Try once to send one mail. Errors of server and network are returned as outcomes, never raised."""
        with conversation(self._shut_down, self.longest) as is_late:
            outcome = self._send(mail, to)
        if is_late() and outcome.state == DispatchState.QUEUED:
            return self._later("the mail server took too long", 0, b"", to)
        return outcome

    def _shut_down(self) -> None:
        if (smtp := self.smtp) is not None:
            shut_down(smtp.sock)

    def _send(self, mail: EmailMessage, to: str) -> Outcome:
        try:
            smtp = self.smtp or self._open()
        except smtplib.SMTPAuthenticationError as refused:
            return self._later("the mail server rejected the user name and password", refused.smtp_code, b"", to)
        except Exception as error:
            return self._later(f"the mail server cannot be reached: {_why(error)}", 0, b"", to)
        body = mail.as_bytes(policy=mail.policy.clone(linesep="\r\n"))
        try:
            for step in (smtp.mail(self.server.sender.addr_spec), smtp.rcpt(to), smtp.docmd("DATA")):
                if step[0] not in (250, 251, 354):
                    return self._refused(*step, to)
        except (OSError, smtplib.SMTPException) as error:
            return self._later(f"the connection to the mail server broke: {_why(error)}", 0, b"", to)
        try:
            smtp.send(re.sub(rb"(?m)^\.", b"..", body) + b".\r\n")  # RFC 5321, 4.5.2; the body must end with a line end
            code, reply = smtp.getreply()
        except (OSError, smtplib.SMTPException) as error:
            # From here on the server may have accepted the mail.
            self.close()
            return Outcome(DispatchState.UNSURE, f"the connection broke before the mail server answered: {_why(error)}")
        return Outcome(DispatchState.SENT) if code == 250 else self._refused(code, reply, to)

    def close(self) -> None:
        """Close the connection, with QUIT if it is still open."""
        smtp, self.smtp = self.smtp, None
        if smtp is not None:
            try:
                with conversation(lambda: shut_down(smtp.sock), GRACE):
                    smtp.quit()
            except (OSError, smtplib.SMTPException):
                smtp.close()

    def _open(self) -> smtplib.SMTP:
        server, context = self.server, ssl.create_default_context()
        if server.scheme == "smtps":
            self.smtp = smtp = smtplib.SMTP_SSL.__new__(smtplib.SMTP_SSL)  # known before it connects: see _shut_down
            smtplib.SMTP_SSL.__init__(smtp, server.host, server.port, timeout=self.seconds, context=context)
        else:
            self.smtp = smtplib.SMTP.__new__(smtplib.SMTP)
            smtplib.SMTP.__init__(self.smtp, server.host, server.port, timeout=self.seconds)
        if server.scheme == "smtp+starttls":
            self.smtp.starttls(context=context)
        self.smtp.ehlo_or_helo_if_needed()
        if server.user:
            self.smtp.login(server.user, server.password)
        return self.smtp

    def _refused(self, code: int, reply: bytes, to: str) -> Outcome:
        """The outcome of a rejection: permanent (5xx), temporary (4xx), or the end of the connection."""
        if code == CLOSING:
            return self._later("the mail server is closing", code, reply, to)
        try:
            if self.smtp is not None:
                self.smtp.rset()
        except (OSError, smtplib.SMTPException):
            self.close()
        state = DispatchState.FAILED if 500 <= code < 600 else DispatchState.QUEUED
        return Outcome(state, _words("the mail server refused it", code, reply, to))

    def _later(self, words: str, code: int, reply: bytes, to: str) -> Outcome:
        self.close()
        self.down = _words(words, code, reply, to)
        return Outcome(DispatchState.QUEUED, self.down)


def _words(words: str, code: int, reply: bytes, to: str) -> str:
    """The reason for the organiser, with the server's answer, made printable and without the address."""
    answer = reply.decode("utf-8", "replace").replace(to, "the address")
    plain = " ".join("".join(c if c.isprintable() else " " for c in answer).split())
    return f"{words}{f' ({code}' if code else ''}{f' {plain[:160]}' if code and plain else ''}{')' if code else ''}"


def _why(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
    return " ".join(str(reason).split())[:120]
