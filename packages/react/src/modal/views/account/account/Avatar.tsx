import type { Identity } from '@latchkey/core'
import { useState, type ReactElement } from 'react'
import { avatarGradient } from '../../../../avatar.ts'
import { useSharedAvatar } from './useSharedAvatar.ts'

type AvatarProps = { address: string; identity: Identity | undefined; size?: 'small' | 'medium' }

/** The avatar of an account, or the colours of its address. It is hidden from screen readers, because the name is next to it. */
export function Avatar({ address, identity, size }: AvatarProps): ReactElement {
  const [refused, setRefused] = useState<string>()
  const element = useSharedAvatar(address)
  const picture = identity?.avatar
  return (
    <span
      ref={element}
      className="avatar"
      data-of={address}
      part="avatar"
      data-size={size}
      style={{ background: avatarGradient(address) }}
      aria-hidden="true"
    >
      {picture !== undefined && picture !== refused && (
        // The host of the image must not learn which app shows it.
        <img src={picture} alt="" referrerPolicy="no-referrer" onError={() => setRefused(picture)} />
      )}
    </span>
  )
}
