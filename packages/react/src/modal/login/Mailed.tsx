import type { ReactElement, ReactNode } from 'react'
import { EmailText } from './EmailText.tsx'
import { SocialMark } from './SocialMark.tsx'

type MailedProps = {
  /** Gets the address. */
  text: (email: string) => string
  email: string
  children?: ReactNode
}

/** What was sent to whom. */
export function Mailed({ text, email, children }: MailedProps): ReactElement {
  const [before = '', after = ''] = text('\n').split('\n')
  return (
    <div className="mailed">
      <span className="mailed-mark">
        <SocialMark of="email" size={28} />
      </span>
      <p className="hint">
        {before}
        <EmailText text={email} />
        {after}
      </p>
      {children}
    </div>
  )
}
