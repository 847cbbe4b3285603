import type { ConnectMethod } from '@latchkey/core'
import { loginMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement, type ReactNode } from 'react'
import { useLatchkey } from '../../context.ts'
import { FlowMessages } from '../../messages/FlowMessages.tsx'
import { readEnvironment } from '../pairing/environment.ts'
import { useViewStyles } from '../shell/shadowRoot.ts'
import { EmailForm } from './email/EmailForm.tsx'
import { FeaturedSocials } from './social/FeaturedSocials.tsx'
import { loginCss } from './login.css.ts'
import { socialsOf, type LoginConnector } from './loginConnector.ts'
import { useLoginStep } from './loginStep.ts'
import { usableSocials } from './social/usableSocials.ts'
import { inertIf } from '../parts/inertIf.ts'

type LoginBlockProps = {
  connector: LoginConnector
  /** The login methods to show, in order. */
  methods: readonly ConnectMethod[]
  /** Shown until the texts are loaded. */
  room: ReactNode
}

/** The login methods: email and social accounts. */
export function LoginBlock({ connector, methods, room }: LoginBlockProps): ReactElement {
  useViewStyles(loginCss)
  const latchkey = useLatchkey()
  const [environment] = useState(readEnvironment)
  const step = useLoginStep('Connect')
  const socials = usableSocials(socialsOf(latchkey, connector), environment)
  return (
    <FlowMessages chunk={loginMessages} placeholder={room}>
      <div className="login">
        {methods.map((method) =>
          method === 'email' ? (
            <EmailForm key="email" connector={connector} view="Connect" />
          ) : (
            <div key="social" className="login" {...inertIf(step.status === 'working')}>
              <FeaturedSocials connector={connector} socials={socials} />
            </div>
          ),
        )}
      </div>
    </FlowMessages>
  )
}
