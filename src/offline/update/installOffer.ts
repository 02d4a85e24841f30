import { proxy } from 'valtio/vanilla'
import { isHomeScreenApp } from '../storage/storageHealth.ts'

interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

declare global {
  interface Window {
    /** The event that src/start/boot.ts has stored: it comes before the app has loaded, and only once (rule 14.11). */
    __installPrompt?: InstallPromptEvent | undefined
  }
}

/**
 * - `installed`: this window is the installed app
 * - `offered`: the browser lets a button install it
 * - `ios`: the user installs it in the Share menu, because no button can
 * - `none`: the browser's menu may offer it, or the portal is installed already
 */
export type InstallState = 'installed' | 'offered' | 'ios' | 'none'

export const installOffer = proxy<{ state: InstallState }>({ state: readState() })

const updateState = () => (installOffer.state = readState())
addEventListener('beforeinstallprompt', updateState)
addEventListener('appinstalled', () => {
  window.__installPrompt = undefined
  updateState()
})
matchMedia('(display-mode: standalone)').addEventListener('change', updateState)

function readState(): InstallState {
  if (isHomeScreenApp() === true || matchMedia('(display-mode: standalone)').matches) return 'installed'
  if (window.__installPrompt) return 'offered'
  return isHomeScreenApp() === undefined ? 'none' : 'ios'
}

/** Shows the browser's question whether to install the app; call it from a tap. Each offer of the browser works once. */
export async function installApp(): Promise<void> {
  const offered = window.__installPrompt
  window.__installPrompt = undefined
  await offered?.prompt().catch(() => undefined)
  updateState()
}
