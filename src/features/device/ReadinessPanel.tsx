import { lackMessages } from '../../blocks/devices/lackMessages.ts'
import { useReadiness } from '../../blocks/devices/useReadiness.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Panel } from '../../ui/Panel.tsx'

/** What the pill in the header says, in whole sentences. */
export function ReadinessPanel() {
  const lacks = useReadiness(useUser())
  return (
    <Panel title={lacks && lacks.length > 0 ? 'Not all is ready for offline' : 'Ready offline'}>
      <ul className="todo">
        {lacks?.map((lack) => {
          const { short, long } = lackMessages(lack)
          return (
            <li key={lack.is}>
              <Icon name="alert" />
              <div>
                <b className="strong">{short}</b>
                <p>{long}</p>
              </div>
            </li>
          )
        })}
        {lacks?.length === 0 && (
          <li>
            <Icon name="ok" />
            <div>
              <b className="strong">Everything is here</b>
              <p>The portal, its lists and what you have opened start from this device, with or without a line.</p>
            </div>
          </li>
        )}
      </ul>
    </Panel>
  )
}
