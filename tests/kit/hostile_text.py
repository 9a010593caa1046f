"""Names that hold mark-up, commands or odd characters."""

MARKUP = (
    "<script>alert(1)</script>",
    "{{1234*5678}}{% x %}${1234*5678}",
    '"><img src=x onerror=alert(1)>',
    "' OR 1=1; DROP TABLE player; --",
    "%s%n%(name)s{0}",
    "=HYPERLINK(1)",
    "\ufffdA\ufffd",
    "Zoë 李 🤖 שלום",
    "Z̸̢̛͖̼a̷͉l̶̡g̵o",
)
