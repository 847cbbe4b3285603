import type { Identity } from '@latchkey/core'
import { useState, type ReactElement } from 'react'
import { avatarGradient } from '../../../avatar.ts'

type AvatarProps = { address: string; identity: Identity | undefined; size?: 'small' | 'medium' }

/** The picture that an account's owner chose, or the colours of its address. Always beside its name, so it is silent. */
export function Avatar({ address, identity, size }: AvatarProps): ReactElement {
  const [refused, setRefused] = useState<string>()
  const picture = identity?.avatar
  return (
    <span
      className="avatar"
      part="avatar"
      data-size={size}
      style={{ background: avatarGradient(address) }}
      aria-hidden="true"
    >
      {picture !== undefined && picture !== refused && (
        // Whoever keeps the picture is not told which app is looked at.
        <img src={picture} alt="" referrerPolicy="no-referrer" onError={() => setRefused(picture)} />
      )}
    </span>
  )
}
