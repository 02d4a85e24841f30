import { runAction } from '../record/runAction.ts'

/** Asks first, then lets `run` mail a link for a new password to the login of a branch or a master. */
export const mailResetLink = ({ name, email }: { name: string; email: string | null }, run: () => Promise<unknown>) =>
  runAction({
    question: {
      title: `Reset the password of ${name}?`,
      consequence: `A link to set a new password is emailed to ${email}. The current password keeps working until then.`,
      act: 'Send link',
      wayOut: 'Cancel',
      destructive: false,
    },
    run,
    done: `Link sent to ${email}`,
  })
