import { proxy } from 'valtio/vanilla'

export interface Confirmation {
  title: string
  consequence: string
  /** What the consequence falls on, by name. */
  items?: readonly { id: string; text: string }[] | undefined
  /** The act, in its own words: "Deactivate branch", not "OK". Left out where there is nothing to decide, only to know. */
  act?: string | undefined
  /** A second act, where there are two ways on. */
  otherAct?: string | undefined
  wayOut: string
  destructive: boolean
  /** The act approves, in the colour of that. */
  approving?: boolean
}

export type Answer = 'act' | 'otherAct' | 'wayOut'

interface Open {
  key: number
  confirmation: Confirmation
  answer: (answer: Answer) => void
}

/** The dialog service of every screen (rule 16.6). Dialogs are never stacked: a second question waits for the first. */
export const dialogs = proxy<{ open: Open | null }>({ open: null })
let lastKey = 0
let tail: Promise<unknown> = Promise.resolve()

/** Asks, and resolves to whether the person agreed; closing the dialog is the way out. */
export const confirm = async (confirmation: Confirmation): Promise<boolean> => (await choose(confirmation)) === 'act'

/** The same where there are two acts. */
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
