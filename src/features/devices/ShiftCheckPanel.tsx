import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { SHIFT_CHECK_LABELS, shiftCheckVerdict, shiftProblemText } from '../../blocks/devices/shiftCheckTexts.ts'
import { failedChecks } from '../../domain/devices/shiftCheck.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { shiftCheck } from '../../state/shiftCheck.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Item, Panel } from '../../ui/Panel.tsx'

/** What came of the last check of this till, whoever made it. */
export function ShiftCheckPanel() {
  const { last } = useSnapshot(shiftCheck)
  const failures = last ? failedChecks(last.outcomes) : []
  return (
    <Panel title="Check before opening">
      <ul>
        <Item
          mark={<Icon drawing={last ? (failures.length > 0 ? ICONS.alert : ICONS.ok) : ICONS.todo} />}
          actionBelow
          action={
            <Link to="/settings/device/$part" params={{ part: 'check' }} className={buttonClass()}>
              {last ? 'Check again' : 'Check this till'}
            </Link>
          }
        >
          {last ? (
            <>
              <b className="font-strong">
                {`Checked ${formatInstant(new Date(last.at))}: ${lowerFirst(shiftCheckVerdict(failures))}`}
              </b>
              <p className="text-muted">{`By ${last.by}`}</p>
            </>
          ) : (
            <>
              <b className="font-strong">Not checked yet</b>
              <p className="text-muted">One minute before opening: camera, scanner, sound and more.</p>
            </>
          )}
        </Item>
        {failures.map(({ name, why }) => (
          <Item key={name} mark={<Icon drawing={ICONS.alert} />}>
            <b className="font-strong">{SHIFT_CHECK_LABELS[name]}</b>
            <p className="text-muted">{shiftProblemText(why)}</p>
          </Item>
        ))}
      </ul>
    </Panel>
  )
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
