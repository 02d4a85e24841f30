import { proxy } from 'valtio/vanilla'

export interface Confirmation {
  title: string
  consequence: string
  /** What the consequence falls on, by name. */
  items?: readonly { id: string; text: string }[] | undefined
  /** Label of the action: "Deactivate branch", not "OK". Left out where there is nothing to decide. */
  act?: string | undefined
  /** A second action, where there are two. */
  secondary?: string | undefined
  dismiss: string
  destructive: boolean
  /** The action approves something and gets that colour. */
  approving?: boolean
}

export type Answer = 'act' | 'secondary' | 'dismiss'

interface Open {
  key: number
  confirmation: Confirmation
  answer: (answer: Answer) => void
}

/** The dialog service of every screen (rule 16.6). Dialogs are never stacked: a second question waits for the first. */
export const dialogs = proxy<{ open: Open | null }>({ open: null })
let lastKey = 0
let tail: Promise<unknown> = Promise.resolve()

/** Asks, and resolves to whether the person agreed; closing the dialog means no. */
export const confirm = async (confirmation: Confirmation): Promise<boolean> => (await choose(confirmation)) === 'act'

/** The same for two actions. */
export function choose(confirmation: Confirmation): Promise<Answer> {
  const asked = tail.then(() => ask(confirmation))
  tail = asked
  return asked
}

function ask(confirmation: Confirmation): Promise<Answer> {
  return new Promise((resolve) => {
    const answer = (chosen: Answer) => {
      dialogs.open = null
      resolve(chosen)
    }
    dialogs.open = { key: ++lastKey, confirmation, answer }
  })
}
