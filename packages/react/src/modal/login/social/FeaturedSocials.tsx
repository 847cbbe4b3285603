import type { SocialProvider } from '@latchkey/core'
import { pushView } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useFlowMessages } from '../../../messages/useFlowMessages.ts'
import { Icon } from '../../parts/index.tsx'
import { beginSocialLogin } from './beginSocialLogin.ts'
import type { LoginConnector } from '../loginConnector.ts'
import { SocialMark } from './SocialMark.tsx'
import { socialNames } from './socialNames.ts'

/** The number of tiles in a row. */
const room = 5

/** The first social login with its name, and a row of others. */
export function FeaturedSocials({
  connector,
  socials,
}: {
  connector: LoginConnector
  socials: readonly SocialProvider[]
}): ReactElement | null {
  const latchkey = useLatchkey()
  const t = useFlowMessages(loginMessages)
  const [first, ...others] = socials
  if (first === undefined) return null
  const tiles = others.length > room ? others.slice(0, room - 1) : others
  return (
    <>
      <button
        type="button"
        className="button social"
        part="social"
        onClick={() => pushView(latchkey, beginSocialLogin(latchkey, connector, first))}
      >
        <SocialMark of={first} />
        <span>{t.continueWith({ provider: socialNames[first] })}</span>
      </button>
      {tiles.length > 0 && (
        <div className="tiles">
          {tiles.map((social) => (
            <button
              key={social}
              type="button"
              className="tile"
              part="social"
              aria-label={t.continueWith({ provider: socialNames[social] })}
              title={socialNames[social]}
              onClick={() => pushView(latchkey, beginSocialLogin(latchkey, connector, social))}
            >
              <SocialMark of={social} />
            </button>
          ))}
          {tiles.length < others.length && (
            <button
              type="button"
              className="tile"
              aria-label={t.moreLogins}
              title={t.moreLogins}
              onClick={() => pushView(latchkey, { view: 'ConnectSocials', params: {} })}
            >
              <Icon name="grid" />
            </button>
          )}
        </div>
      )}
    </>
  )
}
