/** A smaller change is a browser bar that appears or disappears. */
const KEYBOARD_PX = 120

/**
 * Sets `--keyboard` to the height of an on-screen keyboard, above which the style sheets end the page. In Safari, and in Chrome
 * from 108 on, the keyboard covers the foot of the page, whose own height stays the same.
 */
export function followKeyboard(): void {
  const { visualViewport: viewport, document } = window
  if (!viewport) return
  const { documentElement: page } = document
  const update = () => {
    const covered = page.clientHeight - viewport.height - viewport.offsetTop
    // A user who has zoomed in sees only a part of the page, even without a keyboard.
    const isKeyboard = viewport.scale < 1.1 && covered >= KEYBOARD_PX
    page.style.setProperty('--keyboard', isKeyboard ? `${Math.round(covered)}px` : '0px')
  }
  for (const kind of ['resize', 'scroll']) viewport.addEventListener(kind, update)
  update()
}
