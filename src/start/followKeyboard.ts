/** Less is a bar of the browser that comes and goes. */
const KEYBOARD_PX = 120

/**
 * A keyboard on the screen covers the foot of the page, in Safari and in Chrome from 108 on: the page is told nothing, and stays as
 * high as it was. The style sheets end above it by `--keyboard`.
 */
export function followKeyboard(): void {
  const { visualViewport: seen, document } = window
  if (!seen) return
  const { documentElement: page } = document
  const follow = () => {
    const covered = page.clientHeight - seen.height - seen.offsetTop
    // Who has zoomed in sees a part of the page, without a keyboard too.
    const isKeyboard = seen.scale < 1.1 && covered >= KEYBOARD_PX
    page.style.setProperty('--keyboard', isKeyboard ? `${Math.round(covered)}px` : '0px')
  }
  for (const kind of ['resize', 'scroll']) seen.addEventListener(kind, follow)
  follow()
}
