import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/Button.tsx'

interface Props {
  /** The word on the screen. */
  word: string
  onNext: () => void
}

/** In a very low window the button is below the verdict, which must stay in view. */
const WITHOUT_SCROLL = { preventScroll: true }

/** The button that ends a verdict, always in the same place. It gets the focus at once, so that Enter goes on. */
export function NextButton({ word, onNext }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(WITHOUT_SCROLL), [])
  useEffect(() => {
    // A new word may have removed the element with the focus. If an element still has the focus, a dialog or menu may be open.
    if (document.activeElement === document.body) button.current?.focus(WITHOUT_SCROLL)
  }, [word])
  return (
    <Button
      ref={button}
      big
      variant="primary"
      className="ml-auto min-w-[18rem] phone:ml-0 phone:min-h-[3.5rem] phone:min-w-0 phone:flex-1 tiny:px-2 tiny:text-base"
      onClick={onNext}
    >
      Next customer
    </Button>
  )
}
