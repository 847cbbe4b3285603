import { pushView, type SocialProvider } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { loginPart } from '../../strings/login/texts.ts'
import { usePart } from '../../strings/part.tsx'
import { Icon } from '../parts.tsx'
import { beginSocial } from './beginLogin.ts'
import type { LoginConnector } from './loginConnector.ts'
import { SocialMark } from './SocialMark.tsx'
import { socialNames } from './socialNames.ts'

/** How many tiles fit beside each other. */
const room = 5

/** The first social login with its name, and as many others as fit in a row. */
export function FirstSocials({
  connector,
  socials,
}: {
  connector: LoginConnector
  socials: readonly SocialProvider[]
}): ReactElement | null {
  const latchkey = useLatchkey()
  const t = usePart(loginPart)
  const [first, ...others] = socials
  if (first === undefined) return null
  const tiles = others.length > room ? others.slice(0, room - 1) : others
  return (
    <>
      <button
        type="button"
        className="button social"
        part="social"
        onClick={() => pushView(latchkey, beginSocial(latchkey, connector, first))}
      >
        <SocialMark of={first} />
        <span>{t.continueWith(socialNames[first])}</span>
      </button>
      {tiles.length > 0 && (
        <div className="tiles">
          {tiles.map((social) => (
            <button
              key={social}
              type="button"
              className="tile"
              part="social"
              aria-label={t.continueWith(socialNames[social])}
              title={socialNames[social]}
              onClick={() => pushView(latchkey, beginSocial(latchkey, connector, social))}
            >
              <SocialMark of={social} />
            </button>
          ))}
          {tiles.length < others.length && (
            <button
              type="button"
              className="tile"
              aria-label={t.more}
              title={t.more}
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
