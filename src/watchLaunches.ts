import { mayReload } from './blocks/lazy/reload.ts'
import { showToast } from './state/toasts.ts'

interface LaunchQueue {
  setConsumer: (consumer: (launch: { targetURL?: string }) => void) => void
}

/**
 * The installed app is opened once more, from its icon, a shortcut or a link: this window gets the focus, and the address. Its
 * screen changes only when nothing on it would be lost (cases, manifest: focus-existing).
 */
export function watchLaunches(open: (href: string) => void): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue }
  launchQueue?.setConsumer(({ targetURL }) => {
    const href = targetURL === undefined ? undefined : screenOf(targetURL)
    if (href === undefined) return
    if (mayReload()) open(href)
    else showToast({ tone: 'info', text: 'Finish what is on this page first, then open the other one.' })
  })
}

/** Where a launch leads, unless the person is there: the icon means this window, and the launch that made it was followed. */
function screenOf(targetURL: string): string | undefined {
  const { origin, pathname, search, hash } = new URL(targetURL)
  const isHere = pathname === '/' || pathname + search === location.pathname + location.search
  const [made] = performance.getEntriesByType('navigation')
  return isHere || origin !== location.origin || isFirst(targetURL, made?.name) ? undefined : pathname + search + hash
}

let launches = 0

const isFirst = (targetURL: string, made: string | undefined) => ++launches === 1 && targetURL === made
