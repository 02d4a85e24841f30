import { call } from '../../api/call.ts'
import {
  removeView,
  setDefaultView,
  updateView,
  type View,
  type ViewList,
  type ViewState,
} from '../../contract/views.ts'
import type { TableState } from '../../domain/tableState.ts'
import { savedState } from '../../domain/viewState.ts'
import { auth } from '../../state/auth.ts'
import { columnChoice, forgetColumns } from '../../state/columnChoice.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { needsConnection } from '../connectivity/useOffline.ts'
import { runAction } from '../record/runAction.ts'
import { columnsKey, refreshViews } from './savedViews.ts'
import { serverDate, type OpenView, type TableView } from './useTableView.ts'

/** A new view of what the table shows, or one of mine under another name. */
export interface ViewDialog {
  edited: View | undefined
  state: ViewState
}

interface Here {
  view: TableView
  state: TableState
  offline: boolean
}

interface Ways {
  show: (view: OpenView) => void
  whole: () => void
  onDialog: (dialog: ViewDialog) => void
  onSaved: (view: View) => void
}

/** The whole list, the views to choose from, and what can be done with the one that is open. */
export function viewMenu(list: ViewList, here: Here, ways: Ways): MenuItem[] {
  const { all, open } = here.view
  const choice = (view: OpenView, group: string): MenuItem => ({
    key: view.id,
    label: view.name,
    group,
    chosen: open?.id === view.id,
    hint: hintOf(view.saved),
    onSelect: () => ways.show(view),
  })
  const of = (group: string, which: (saved: View | undefined) => boolean) =>
    all.filter(({ saved }) => which(saved)).map((view) => choice(view, group))
  return [
    { key: 'all', label: 'All', group: 'Views', chosen: !open, onSelect: ways.whole },
    ...of('Views', (saved) => saved === undefined),
    ...of('My views', (saved) => saved?.mine === true),
    ...of('Shared with me', (saved) => saved?.mine === false),
    ...needsConnection(here.offline, acts(list, here, ways)),
  ]
}

function hintOf(saved: View | undefined): string | undefined {
  const words = [
    ...(saved?.is_default ? ['Default'] : []),
    ...(saved?.mine === false ? [`Of ${saved.owner}`] : saved?.shared ? ['Shared'] : []),
  ]
  return words.length > 0 ? words.join(' · ') : undefined
}

const act = (label: string, onSelect: () => void): MenuItem => ({ label, group: 'Change', onSelect })

function acts(list: ViewList, { view: { open, edited }, state }: Here, { whole, onDialog, onSaved }: Ways): MenuItem[] {
  const now = shownState(list, state, open)
  const saved = open?.saved
  const create = act('Save view…', () => onDialog({ edited: undefined, state: now }))
  if (!saved) return [create]
  const usual = act(saved.is_default ? 'Do not open by default' : 'Open by default', () => void chooseDefault(saved))
  if (!saved.mine) return [create, usual]
  return [
    create,
    ...(edited ? [act(`Update “${saved.name}”`, () => void update(saved, now, onSaved))] : []),
    act('Rename or share…', () => onDialog({ edited: saved, state: saved.state })),
    usual,
    act('Delete…', () => void remove(saved).then((gone) => gone && whole())),
  ]
}

/** What the table shows, as it would be saved. */
function shownState(list: ViewList, state: TableState, open: OpenView | undefined): ViewState {
  const hidden = columnChoice.hidden[columnsKey(list, open?.saved && open.id)] ?? open?.state.hidden ?? []
  return savedState(state, hidden, open?.state, serverDate())
}

/**
 * Whatever became of it, the views are read anew before anything is said: who opens the list right after "is not the default any
 * more" gets it without. Somebody may have changed them on another device, too.
 */
const thenReadViews =
  <T>(change: () => Promise<T>) =>
  async (): Promise<T> => {
    try {
      return await change()
    } finally {
      if (auth.user) await refreshViews(auth.user.guid)
    }
  }

async function update(
  { guid: id, name, shared, is_default, revision, list }: View,
  state: ViewState,
  onSaved: (view: View) => void,
): Promise<void> {
  const body = { name, shared, is_default, state, revision }
  const run = thenReadViews(() => call(updateView, { params: { id }, body }))
  const next = await runAction({ run, done: `${name} updated` })
  if (!next) return
  forgetColumns(columnsKey(list, id))
  onSaved(next)
}

const chooseDefault = ({ guid, name, list, is_default }: View) =>
  runAction({
    run: thenReadViews(() =>
      call(setDefaultView, { body: { list: list as ViewList, view_guid: is_default ? null : guid } }),
    ),
    done: is_default ? `${name} is not the default any more` : `The list opens with ${name} from now on`,
  })

const remove = ({ guid: id, name, shared }: View) =>
  runAction({
    question: {
      title: `Delete ${name}?`,
      consequence: shared
        ? 'Nobody in your organisation can open it any more. The list itself stays as it is.'
        : 'The list itself stays as it is.',
      act: 'Delete view',
      wayOut: 'Keep view',
      destructive: true,
    },
    run: thenReadViews(() => call(removeView, { params: { id } })),
    done: `${name} deleted`,
  })
