/**
 * Leaving a page adds one entry to the browser's history, and Back finds the settings that were left.
 *
 * Streamlit takes the settings of a page out of its address before it goes to the next one, and makes an entry of that:
 * Back would lead to the page without them. A change of the address that stays on its page waits a moment here, replaces
 * the entry that is there, and is dropped where the page is left meanwhile.
 */
const MOMENT = 250;

export default function () {
  if (window.kernexHistory) return;
  window.kernexHistory = true;
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
