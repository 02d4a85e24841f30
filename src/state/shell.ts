import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'ui'

/** The state that screens share (rule 16.8). */
const Shell = v.object({
  pageTitle: v.string(),
  isSidebarOpen: v.boolean(),
  multiLoginMessage: v.string(),
  successRegisterMessage: v.string(),
})

const DEFAULTS = { pageTitle: '', isSidebarOpen: true, multiLoginMessage: '', successRegisterMessage: '' }

export const shell = proxy<v.InferOutput<typeof Shell>>(readStored(KEY, Shell) ?? { ...DEFAULTS })

onStoredElsewhere(KEY, () => Object.assign(shell, readStored(KEY, Shell) ?? DEFAULTS))

function changeShell(changes: Partial<v.InferOutput<typeof Shell>>) {
  Object.assign(shell, changes)
  writeStored(KEY, shell)
}

export function setPageTitle(pageTitle: string): void {
  document.title = `${pageTitle} – HRP Merchant Portal`
  changeShell({ pageTitle })
}

export const toggleSidebar = (): void => changeShell({ isSidebarOpen: !shell.isSidebarOpen })

/** Stored until the next login, so that a reload of /login?multiLogin=1 still shows the reason. */
export const setMultiLoginMessage = (multiLoginMessage: string): void => changeShell({ multiLoginMessage })

/** Stored until the next login, so that /login shows it whenever the applicant gets there (rule 16.8). */
export const setSuccessRegisterMessage = (successRegisterMessage: string): void =>
  changeShell({ successRegisterMessage })

/** Clears the messages for the next login, which have been read. */
export const clearLoginNotices = (): void => changeShell({ multiLoginMessage: '', successRegisterMessage: '' })
