"""Ciò che si legge e si preme in un widget mostrato da una pagina di prova."""

from __future__ import annotations

# Dove il browser non dà gli appunti si copia per la via vecchia: ciò che vi andrebbe resta in window.copied.
COPY = "document.execCommand = () => { window.copied = document.activeElement.value; return true; }"


def press(element, *keys):
    """Sceglie la figura e preme i tasti."""
    element.locator(".cdl-stage").focus()
    for key in keys:
        element.page.keyboard.press(key)


def press_keys(page, *keys):
    """Preme i tasti dove il fuoco si trova già. page: una PlainPage"""
    for key in keys:
        page.page.keyboard.press(key)


def say(element):
    """La frase che il widget legge ad alta voce."""
    return element.locator(".cdl-say").inner_text()


def finding(element):
    """La riga sotto il titolo: che cosa si trova nella figura."""
    return element.locator(".cdl-finding").inner_text()


def copied_rows(element):
    """Il CSV che il bottone copia, senza passare dagli appunti della macchina."""
    element.page.evaluate("""() => { window.copied = [];
        Object.defineProperty(navigator, 'clipboard', { configurable: true,
            value: { writeText: async text => { window.copied.push(text); } } }); }""")
    element.get_by_role("button", name="Copia CSV").click()
    element.get_by_text("Copiato: ").wait_for()
    return element.page.evaluate("window.copied[0]")
