import { pushView } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { beginSocialLogin } from '../../../login/social/beginSocialLogin.ts'
import { socialsOf, type LoginConnector } from '../../../login/loginConnector.ts'
import { LoginView } from '../../../login/LoginView.tsx'
import { SocialMark } from '../../../login/social/SocialMark.tsx'
import { socialNames } from '../../../login/social/socialNames.ts'
import { usableSocials } from '../../../login/social/usableSocials.ts'
import { readEnvironment } from '../../../pairing/environment.ts'
import { Row } from '../../../parts/index.tsx'
import { useAgreement } from '../../connecting/connect/useAgreement.ts'
import { LegalBox, LegalFooter } from '../../connecting/connect/Legal.tsx'
import { inertIf } from '../../../parts/inertIf.ts'

/** All social logins. */
export default function ConnectSocialsView(): ReactElement {
  return <LoginView>{(connector) => <Socials connector={connector} />}</LoginView>
}

function Socials({ connector }: { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(loginMessages)
  const { pending } = useAgreement()
  const [environment] = useState(readEnvironment)
  const socials = usableSocials(socialsOf(latchkey, connector), environment)
  return (
    <>
      <LegalBox />
      <ul className="rows" {...inertIf(pending)}>
        {socials.map((social) => (
          <Row
            key={social}
            mark={
              <span className="mark" aria-hidden="true">
                <SocialMark of={social} />
              </span>
            }
            name={t.continueWith({ provider: socialNames[social] })}
            onChoose={() => pushView(latchkey, beginSocialLogin(latchkey, connector, social))}
          />
        ))}
      </ul>
      <LegalFooter />
    </>
  )
}
