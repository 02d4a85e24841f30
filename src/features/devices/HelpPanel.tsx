import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { playSound, type Sound } from '../../blocks/vouchers/playSound.ts'
import { changeSounds, sounds, VOLUMES } from '../../state/sounds.ts'
import { chooseTheme, theme, THEMES } from '../../state/theme.ts'
import { Actions, Button, buttonClass } from '../../ui/Button.tsx'
import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { Item, Panel, Stack } from '../../ui/Panel.tsx'

const SOUND_TESTS: readonly { sound: Sound; name: string }[] = [
  { sound: 'good', name: 'Good voucher' },
  { sound: 'redeemed', name: 'Redeemed' },
  { sound: 'risk', name: 'Accepted at your shop’s risk' },
  { sound: 'refused', name: 'Already used, expired, unknown' },
  { sound: 'on hold', name: 'On hold at another till' },
  { sound: 'unchecked', name: 'Cannot be checked now' },
  { sound: 'missed', name: 'Scan not accepted: finish the first voucher' },
]

/** Offers cashiers practice, help, sounds and the theme, because the counter has no account menu. */
export function HelpPanel() {
  const { chosen } = useSnapshot(theme)
  const { on, volume } = useSnapshot(sounds)
  return (
    <Panel title="Help and sounds">
      <Stack padded>
        <Actions>
          <Link to="/practise" className={buttonClass()}>
            Practise
          </Link>
          <Link to="/help" className={buttonClass()}>
            Help
          </Link>
        </Actions>
        <RadioField label="Theme" value={chosen} options={THEMES} onChange={chooseTheme} />
        <CheckboxField
          label="Sounds and vibration"
          hint="Without sounds, the counter only shows its verdicts."
          value={on}
          onChange={(next) => changeSounds({ on: next })}
        />
        {on && (
          <RadioField
            label="Volume"
            value={volume}
            options={VOLUMES}
            onChange={(value) => changeSounds({ volume: VOLUMES.find((one) => one.value === value)?.value ?? volume })}
          />
        )}
      </Stack>
      {on && (
        <ul className="border-t border-border">
          {SOUND_TESTS.map((test) => (
            <Item
              key={test.sound}
              look="words"
              action={
                <Button
                  aria-label={`Test: ${test.name}`}
                  // A held key plays the sound once.
                  onKeyDown={(event) => event.repeat && event.preventDefault()}
                  onClick={() => void playSound(test.sound)}
                >
                  Test
                </Button>
              }
            >
              {test.name}
            </Item>
          ))}
        </ul>
      )}
    </Panel>
  )
}
