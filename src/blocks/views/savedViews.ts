import * as v from 'valibot'
import { viewsKey, type ViewState } from '../../domain/viewState.ts'
import { readStored, writeStored } from '../../state/persisted.ts'

const State = v.object({
  q: v.string(),
  filter: v.record(v.string(), v.string()),
  sort: v.string(),
  dir: v.picklist(['asc', 'desc']),
  size: v.number(),
})

const SavedView = v.object({ list: v.string(), name: v.string(), state: State })

/** The state of a table, under a name. */
export interface SavedView {
  list: string
  name: string
  state: ViewState
}

/** A person's own views on this device. A filter that is gone since falls away where the address is read. */
export const readViews = (owner: string): readonly SavedView[] =>
  (readStored(viewsKey(owner), v.array(SavedView)) ?? []) as SavedView[]

const isSame = (one: SavedView, { list, name }: SavedView) => one.list === list && one.name === name

/** A view of the same name is replaced. Undefined where this browser stores nothing. */
export function saveView(owner: string, view: SavedView): readonly SavedView[] | undefined {
  const views = [...readViews(owner).filter((one) => !isSame(one, view)), view]
  return writeStored(viewsKey(owner), views) ? views : undefined
}

export function deleteView(owner: string, view: SavedView): readonly SavedView[] {
  const views = readViews(owner).filter((one) => !isSame(one, view))
  writeStored(viewsKey(owner), views)
  return views
}
