/** A smaller change is a browser bar that comes and goes. */
const KEYBOARD_PX = 120

/**
 * Sets `--keyboard`, so that the style sheets end above an on-screen keyboard. It covers the foot of the page in Safari, and in
 * Chrome from 108 on: the page is not told, and keeps its height.
 */
export function followKeyboard(): void {
  const { visualViewport: seen, document } = window
  if (!seen) return
  const { documentElement: page } = document
  const follow = () => {
    const covered = page.clientHeight - seen.height - seen.offsetTop
    // A user who has zoomed in sees only a part of the page, even without a keyboard.
    const isKeyboard = seen.scale < 1.1 && covered >= KEYBOARD_PX
    page.style.setProperty('--keyboard', isKeyboard ? `${Math.round(covered)}px` : '0px')
  }
  for (const kind of ['resize', 'scroll']) seen.addEventListener(kind, follow)
  follow()
}
