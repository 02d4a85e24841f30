import { proxy } from 'valtio/vanilla'

/** Names of the forms that hold answers nobody has saved yet. A tab with any of them is never reloaded unasked (DESIGN §6). */
export const unsavedWork = proxy<{ forms: string[] }>({ forms: [] })

export function markUnsaved(form: string, unsaved: boolean): void {
  const others = unsavedWork.forms.filter((name) => name !== form)
  unsavedWork.forms = unsaved ? [...others, form] : others
}

export const hasUnsavedWork = (): boolean => unsavedWork.forms.length > 0
