import { pushView } from '@latchkey/core'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { loginPart } from '../../../strings/login/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { beginSocial } from '../../login/beginLogin.ts'
import { socialsOf, type LoginConnector } from '../../login/loginConnector.ts'
import { LoginView } from '../../login/LoginView.tsx'
import { SocialMark } from '../../login/SocialMark.tsx'
import { socialNames } from '../../login/socialNames.ts'
import { usableSocials } from '../../login/usableSocials.ts'
import { readEnvironment } from '../../pairing/environment.ts'
import { Row } from '../../parts.tsx'
import { useAgreement } from '../connect/legal.ts'
import { LegalBox, LegalFooter } from '../connect/Legal.tsx'

/** All social logins. */
export default function ConnectSocialsView(): ReactElement {
  return <LoginView>{(connector) => <Socials connector={connector} />}</LoginView>
}

function Socials({ connector }: { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(loginPart)
  const { pending } = useAgreement()
  const [environment] = useState(readEnvironment)
  const socials = usableSocials(socialsOf(latchkey, connector), environment)
  return (
    <>
      <LegalBox />
      <ul className="rows" inert={pending}>
        {socials.map((social) => (
          <Row
            key={social}
            mark={
              <span className="mark" aria-hidden="true">
                <SocialMark of={social} />
              </span>
            }
            name={t.continueWith(socialNames[social])}
            onChoose={() => pushView(latchkey, beginSocial(latchkey, connector, social))}
          />
        ))}
      </ul>
      <LegalFooter />
    </>
  )
}
