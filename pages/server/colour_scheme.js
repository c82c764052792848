/**
 * Tells the server when the visitor changes between a light and a dark ground: charts are drawn in the ink of the ground,
 * and Streamlit runs nothing when it changes.
 *
 * @param {{ parentElement: HTMLElement, setStateValue: (name: string, value: string) => void }} component
 */
export default function ({ parentElement, setStateValue }) {
  const host = parentElement instanceof ShadowRoot ? parentElement.host : parentElement;
  const ground = () => getComputedStyle(host).getPropertyValue("--st-background-color").trim();
  let seen = ground();
  const observer = new MutationObserver(() => {
    const now = ground();
    if (now === seen) return;
    seen = now;
    setStateValue("ground", now);
  });
  const app = host.closest("[data-testid=stApp]");
  if (app) observer.observe(app, { attributes: true, attributeFilter: ["class", "style"] });
  return () => observer.disconnect();
}
