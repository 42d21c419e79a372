"""Che cosa trova axe-core nei widget: `python -m tests.browser.axe_report`.

Per ogni widget e per ogni tema: quante regole passano, quante ne sono violate per gravità, quante non si sono
potute decidere. La prova che conta è in test_widget_contract.py: nessuna violazione seria o critica.
"""

from __future__ import annotations

from playwright.sync_api import sync_playwright

from course_lib import widgets
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.plain_page import PlainPage
from tests.conftest import require

IMPACTS = {"critical": "critiche", "serious": "serie", "moderate": "moderate", "minor": "lievi"}
THEMES = {"light": "chiaro", "dark": "scuro"}


def found(browser, name, theme):
    """Ciò che axe trova in un widget appena aperto."""
    page = PlainPage(browser, theme=theme)
    page.add(getattr(widgets, name)())
    page.page.add_script_tag(path=require("axe"))
    result = page.page.evaluate("axe.run(document.querySelector('.cdl'))")
    page.close()
    return result


def main():
    """Stampa la tabella, poi ogni violazione con il suo elemento."""
    lines = []
    print(f"{'widget':<20}{'tema':<8}{'passate':>8}" + "".join(f"{word:>10}" for word in IMPACTS.values())
          + f"{'incerte':>9}")  # fmt: skip
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=require("chromium"), args=CHROMIUM_FLAGS)
        for name in widgets.__all__:
            for theme, word in THEMES.items():
                result = found(browser, name, theme)
                bad = [violation["impact"] for violation in result["violations"]]
                print(f"{name:<20}{word:<8}{len(result['passes']):>8}"
                      + "".join(f"{bad.count(impact):>10}" for impact in IMPACTS)
                      + f"{len(result['incomplete']):>9}", flush=True)  # fmt: skip
                lines += [f"{name}, {word}: {v['id']} ({v['impact']}), {v['nodes'][0]['html'][:120]}"
                          for v in result["violations"]]  # fmt: skip
                lines += [f"{name}, {word}: {v['id']} incerta, {len(v['nodes'])} elementi"
                          for v in result["incomplete"]]  # fmt: skip
        print(f"axe-core {result['testEngine']['version']}")
        browser.close()
    print("\n".join(lines))


if __name__ == "__main__":
    main()
