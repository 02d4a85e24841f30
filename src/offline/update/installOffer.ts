import { proxy } from 'valtio/vanilla'
import { isHomeScreenApp } from '../storage/storageHealth.ts'

interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

declare global {
  interface Window {
    /** src/start/boot.ts stores it: the event comes before the app has loaded, and only once (rule 14.11). */
    __installPrompt?: InstallPromptEvent | undefined
  }
}

/**
 * - `installed`: this window is the installed app
 * - `offered`: the browser lets a button install it
 * - `ios`: it has its own steps, and no button may do them
 * - `none`: the browser's menu may offer it, or the portal is installed already
 */
export type InstallState = 'installed' | 'offered' | 'ios' | 'none'

export const installOffer = proxy<{ state: InstallState }>({ state: lookedUp() })

const look = () => (installOffer.state = lookedUp())
addEventListener('beforeinstallprompt', look)
addEventListener('appinstalled', () => {
  window.__installPrompt = undefined
  look()
})
matchMedia('(display-mode: standalone)').addEventListener('change', look)

function lookedUp(): InstallState {
  if (isHomeScreenApp() === true || matchMedia('(display-mode: standalone)').matches) return 'installed'
  if (window.__installPrompt) return 'offered'
  return isHomeScreenApp() === undefined ? 'none' : 'ios'
}

/** Installs the app; call it from a tap. The browser's question can be asked once; the browser decides when it offers a new one. */
export async function installApp(): Promise<void> {
  const offered = window.__installPrompt
  window.__installPrompt = undefined
  await offered?.prompt().catch(() => undefined)
  look()
}
