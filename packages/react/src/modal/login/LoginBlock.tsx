import type { ConnectMethod } from '@latchkey/core'
import { useState, type ReactElement, type ReactNode } from 'react'
import { useLatchkey } from '../../context.ts'
import { loginPart } from '../../strings/login/texts.ts'
import { Spoken } from '../../strings/part.tsx'
import { readEnvironment } from '../pairing/environment.ts'
import { useViewStyles } from '../shadowRoot.ts'
import { EmailForm } from './EmailForm.tsx'
import { FirstSocials } from './FirstSocials.tsx'
import { loginCss } from './login.css.ts'
import { socialsOf, type LoginConnector } from './loginConnector.ts'
import { useLoginStep } from './loginStep.ts'
import { usableSocials } from './usableSocials.ts'

type LoginBlockProps = {
  connector: LoginConnector
  /** Which of the two kinds of login there are, in their order. */
  methods: readonly ConnectMethod[]
  /** What takes their place until their texts are there. */
  room: ReactNode
}

/** The ways in by e-mail and by social accounts. */
export function LoginBlock({ connector, methods, room }: LoginBlockProps): ReactElement {
  useViewStyles(loginCss)
  const latchkey = useLatchkey()
  const [environment] = useState(readEnvironment)
  const step = useLoginStep('Connect')
  const socials = usableSocials(socialsOf(latchkey, connector), environment)
  return (
    <Spoken part={loginPart} room={room}>
      <div className="login">
        {methods.map((method) =>
          method === 'email' ? (
            <EmailForm key="email" connector={connector} view="Connect" />
          ) : (
            <div key="social" className="login" inert={step.status === 'working'}>
              <FirstSocials connector={connector} socials={socials} />
            </div>
          ),
        )}
      </div>
    </Spoken>
  )
}
