import type { SocialProvider } from '@latchkey/core'
import type { ReactElement } from 'react'
import { Drawing } from '../../parts/index.tsx'
import { socialPaths } from './socialPaths.ts'

const emailPath = 'M3.5 5h13v10h-13zM4 5.5l6 5 6-5'

/** The icon of a login method. It is hidden from screen readers, because its name is next to it. */
export function SocialMark({ of: mark, size = 20 }: { of: SocialProvider | 'email'; size?: number }): ReactElement {
  if (mark === 'email') return <Drawing path={emailPath} size={size} data-social={mark} />
  const { colour, path } = socialPaths[mark]
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill={colour} aria-hidden="true" data-social={mark}>
      <path d={path} />
    </svg>
  )
}
