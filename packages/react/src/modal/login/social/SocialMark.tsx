import type { SocialProvider } from '@latchkey/core'
import type { ReactElement } from 'react'
import { Drawing } from '../../parts/index.tsx'

/** Our own drawings. The logos of the providers are trademarks. */
const paths: { readonly [mark in SocialProvider | 'email']: string } = {
  apple:
    'M10 7.2c2-1.6 5.5-.6 5.5 3 0 3-2 6.3-3.7 6.3-.8 0-1-.4-1.8-.4s-1 .4-1.8.4c-1.7 0-3.7-3.3-3.7-6.3 0-3.6 3.5-4.6 5.5-3ZM10 6c0-1.8 1-2.9 2.6-3',
  discord: 'M6.5 5.5h7a3 3 0 0 1 3 3v3a3 3 0 0 1-3 3H10l-3.5 2.5v-2.5a3 3 0 0 1-3-3v-3a3 3 0 0 1 3-3ZM8 9.5v1M12 9.5v1',
  email: 'M3.5 5h13v10h-13zM4 5.5l6 5 6-5',
  facebook: 'M13.5 4H12a2.5 2.5 0 0 0-2.5 2.5V16.5M6.5 9.5h6.5',
  farcaster: 'M4 4.5h12M5.5 4.5v11.5M14.5 4.5v11.5M8 16v-4.5a2 2 0 0 1 4 0V16M4 16h4m4 0h4',
  github:
    'M6 7.5v5m0 0c0-2.5 8-1 8-5M6 7.5a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM14 7.5a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM6 15.9a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z',
  google: 'M14.6 6.3A6 6 0 1 0 16 10.3h-5.5',
  x: 'M5 4.5l10 11M15 4.5l-10 11',
}

/** The icon of a login method. It is hidden from screen readers, because its name is next to it. */
export function SocialMark({ of: mark, size = 20 }: { of: SocialProvider | 'email'; size?: number }): ReactElement {
  return <Drawing path={paths[mark]} size={size} data-social={mark} />
}
