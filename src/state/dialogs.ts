import { proxy } from 'valtio/vanilla'

export interface Confirmation {
  title: string
  consequence: string
  /** The names of the things that are affected. */
  items?: readonly { id: string; text: string }[] | undefined
  /** The label of the action: "Deactivate branch", not "OK". Left out if there is nothing to decide. */
  act?: string | undefined
  /** The label of a second action, if there is one. */
  secondary?: string | undefined
  dismiss: string
  destructive: boolean
  /** True if the action approves something; it then gets that colour. */
  approving?: boolean
}

export type Answer = 'act' | 'secondary' | 'dismiss'

interface OpenDialog {
  key: number
  confirmation: Confirmation
  answer: (answer: Answer) => void
}

/** The dialog service of every screen (rule 16.6). Dialogs are never stacked: a second question waits for the first. */
export const dialogs = proxy<{ open: OpenDialog | null }>({ open: null })
let lastKey = 0
let lastAnswer: Promise<unknown> = Promise.resolve()

/** Asks, and resolves to true if the user agreed; closing the dialog means no. */
export const confirm = async (confirmation: Confirmation): Promise<boolean> => (await choose(confirmation)) === 'act'

/** Asks a question with two actions, and resolves to the chosen answer. */
export function choose(confirmation: Confirmation): Promise<Answer> {
  const answer = lastAnswer.then(() => openDialog(confirmation))
  lastAnswer = answer
  return answer
}

function openDialog(confirmation: Confirmation): Promise<Answer> {
  return new Promise((resolve) => {
    const answer = (chosen: Answer) => {
      dialogs.open = null
      resolve(chosen)
    }
    dialogs.open = { key: ++lastKey, confirmation, answer }
  })
}
