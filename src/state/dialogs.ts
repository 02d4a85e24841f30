import { proxy } from 'valtio/vanilla'

export interface Confirmation {
  title: string
  consequence: string
  /** What the consequence falls on, by name. */
  items?: readonly { id: string; text: string }[] | undefined
  /** The act, in its own words: "Deactivate branch", not "OK". Left out where there is nothing to decide, only to know. */
  act?: string | undefined
  wayOut: string
  destructive: boolean
  /** The act approves, in the colour of that. */
  approving?: boolean
}

interface Open {
  key: number
  confirmation: Confirmation
  answer: (confirmed: boolean) => void
}

/** The dialog service of every screen (spec §2). Dialogs are never stacked: a second question waits for the first. */
export const dialogs = proxy<{ open: Open | null }>({ open: null })
let lastKey = 0
let tail: Promise<unknown> = Promise.resolve()

/** Asks, and resolves to what the person chose; closing the dialog is the way out. */
export function confirm(confirmation: Confirmation): Promise<boolean> {
  const asked = tail.then(() => ask(confirmation))
  tail = asked
  return asked
}

function ask(confirmation: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (confirmed: boolean) => {
      dialogs.open = null
      resolve(confirmed)
    }
    dialogs.open = { key: ++lastKey, confirmation, answer }
  })
}
