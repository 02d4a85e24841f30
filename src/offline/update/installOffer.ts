import { proxy } from 'valtio/vanilla'
import { isHomeScreenApp } from '../storage/storageHealth.ts'

interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

declare global {
  interface Window {
    /** The browser's event, which comes once, before the app has loaded. So src/start/boot.ts stores it (rule 14.11). */
    __installPrompt?: InstallPromptEvent | undefined
  }
}

/**
 * - `installed`: this window is the installed app
 * - `offered`: the browser lets a button install it
 * - `ios`: the user installs it in the Share menu, because no button can
 * - `none`: the browser's menu may offer it, or the app is already installed
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

/** Shows the browser's question whether to install the app. Call it from a tap. Each offer of the browser works once. */
export async function installApp(): Promise<void> {
  const offered = window.__installPrompt
  window.__installPrompt = undefined
  await offered?.prompt().catch(() => undefined)
  updateState()
}
