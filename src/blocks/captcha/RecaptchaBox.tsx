import { useEffect, useEffectEvent, useRef } from 'react'
import { loadRecaptcha, type RecaptchaOffer } from '../accounts/captcha/recaptcha.ts'

interface RecaptchaBoxProps {
  offered: RecaptchaOffer
  onSolved: (token: string) => void
}

/** The box of reCAPTCHA v2: shown only after v3 has taken the visitor for a machine. */
export function RecaptchaBox({ offered, onSolved }: RecaptchaBoxProps) {
  const place = useRef<HTMLDivElement>(null)
  const solved = useEffectEvent(onSolved)
  useEffect(() => {
    // An element of its own for every mount: the script refuses to draw into one twice.
    const box = document.createElement('div')
    place.current?.append(box)
    void loadRecaptcha(offered).then((recaptcha) =>
      recaptcha.render(box, { sitekey: offered.site_key_v2, callback: (token) => solved(token) }),
    )
    return () => box.remove()
  }, [offered])
  return (
    <div className="field" role="group" aria-label="Confirm that you are not a robot">
      <p>Confirm that you are not a robot.</p>
      <div ref={place} />
    </div>
  )
}
