import type { Confirmation } from '../state/dialogs.ts'

/** Every download that would be lost, by name: nobody can agree to lose what they are not shown. */
export const discardQuestion = (lost: { id: string; title: string }[]): Confirmation => ({
  title: lost.length === 1 ? 'Discard 1 download?' : `Discard ${lost.length} downloads?`,
  consequence: `Logging out removes ${lost.length === 1 ? 'it' : 'them'} from this device:`,
  items: lost.map(({ id, title }) => ({ id, text: title })),
  act: 'Discard and logout',
  wayOut: 'Stay',
  destructive: true,
})
