import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { playSound, type Sound } from '../../blocks/vouchers/playSound.ts'
import { speakAloud, useHasVoice } from '../../blocks/vouchers/speakAloud.ts'
import { changeSounds, sounds, VOLUMES } from '../../state/sounds.ts'
import { chooseTheme, theme, THEMES } from '../../state/theme.ts'
import { Actions, Button, buttonClass } from '../../ui/Button.tsx'
import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { Item, Panel, Stack } from '../../ui/Panel.tsx'

/** `aloud`: what a voice says with it, if the person has chosen one. */
const TESTS: readonly { sound: Sound; name: string; aloud?: string }[] = [
  { sound: 'good', name: 'Good voucher' },
  { sound: 'redeemed', name: 'Redeemed', aloud: '10 dollars accepted' },
  { sound: 'risk', name: 'Accepted at your shop’s risk', aloud: '10 dollars accepted' },
  { sound: 'refused', name: 'Already used, expired, unknown', aloud: 'Already used' },
  { sound: 'on hold', name: 'On hold at another till', aloud: 'On hold' },
  { sound: 'unchecked', name: 'Cannot be checked now', aloud: 'Cannot be checked now' },
  { sound: 'missed', name: 'Scan not accepted: finish the first voucher' },
]

/** For whoever is new at the counter: practice, answers, how it sounds and how it looks. The counter has no account menu. */
export function HelpPanel() {
  const { chosen } = useSnapshot(theme)
  const { on, volume, voice } = useSnapshot(sounds)
  const hasVoice = useHasVoice()
  const play = ({ sound, aloud }: (typeof TESTS)[number]) => {
    playSound(sound)
    if (aloud && voice && hasVoice) speakAloud(aloud)
  }
  return (
    <Panel title="Help and sounds">
      <Stack padded>
        <Actions>
          <Link to="/redeem" search={{ view: 'practise' }} className={buttonClass()}>
            Practise
          </Link>
          <Link to="/help" className={buttonClass()}>
            Help
          </Link>
        </Actions>
        <RadioField label="Theme" value={chosen} options={THEMES} onChange={chooseTheme} />
        <CheckboxField
          label="Sounds, voice and vibration"
          hint="Off means that the counter only shows its verdicts."
          value={on}
          onChange={(next) => changeSounds({ on: next })}
        />
        {on && (
          <>
            <RadioField
              label="Volume"
              value={volume}
              options={VOLUMES}
              onChange={(value) =>
                changeSounds({ volume: VOLUMES.find((one) => one.value === value)?.value ?? volume })
              }
            />
            {hasVoice ? (
              <CheckboxField
                label="Say each verdict aloud"
                hint="For example “10 dollars accepted”. A screen reader is then silent about verdicts."
                value={voice}
                onChange={(next) => changeSounds({ voice: next })}
              />
            ) : (
              <p className="text-muted">
                This device has no English voice that works offline, so it says nothing aloud.
              </p>
            )}
          </>
        )}
      </Stack>
      {on && (
        <ul className="border-t border-border">
          {TESTS.map((test) => (
            <Item
              key={test.sound}
              look="words"
              action={
                <Button
                  aria-label={`Test: ${test.name}`}
                  // A key that is held plays it once.
                  onKeyDown={(event) => event.repeat && event.preventDefault()}
                  onClick={() => play(test)}
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
