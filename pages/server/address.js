/**
 * Leaving a page adds one entry to the browser's history, and Back finds the settings that were left.
 *
 * Streamlit takes the settings of a page out of its address before it goes to the next one, and makes an entry of that:
 * Back would lead to the page without them. A change of the address that stays on its page waits a moment here, replaces
 * the entry that is there, and is dropped where the page is left meanwhile.
 *
 * Who types into a field and taps a link at once leaves the field and the page together. Streamlit would send the page
 * first and the text some milliseconds later, for the page that was left, which would then come back: the text goes first.
 */
const MOMENT = 250;
const TEXT_IS_SENT = 120;
const FIELDS = "input:not([type=range], [type=checkbox], [type=radio]), textarea";

const textFirst = () => {
  let typed = false;
  let left = -Infinity;
  document.addEventListener("input", event => { typed = event.target.matches(FIELDS); }, true);
  document.addEventListener("focusout", event => {
    if (typed && event.target.matches(FIELDS)) left = performance.now();
    typed = false;
  }, true);
  document.addEventListener("click", event => {
    const link = event.target.closest?.("[data-testid=stPageLink-NavLink]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || performance.now() - left > TEXT_IS_SENT) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    left = -Infinity;
    setTimeout(() => {
      // the text may have drawn the link anew
      const same = [...document.querySelectorAll("[data-testid=stPageLink-NavLink]")].find(each => each.href === link.href);
      (link.isConnected ? link : same)?.click();
    }, TEXT_IS_SENT);
  }, true);
};

export default function () {
  if (window.kernexHistory) return;
  window.kernexHistory = true;
  textFirst();
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  let late = 0;
  history.pushState = (state, unused, url) => {
    clearTimeout(late);
    const stays = url != null && new URL(url, location.href).pathname === location.pathname;
    if (!stays) {
      // on a small screen the sidebar lies over the page: a click on one of our own links does not close it
      if (innerWidth < 768) document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
      return push(state, unused, url);
    }
    late = setTimeout(() => replace(state, unused, url), MOMENT);
  };
  history.replaceState = (state, unused, url) => {
    clearTimeout(late);
    replace(state, unused, url);
  };
  window.addEventListener("popstate", () => clearTimeout(late), true);
}
