import { avatarGradient } from '@latchkey/react'
import { useState, type ReactElement } from 'react'

export type KitAvatarProps = { address: string | undefined; image: string | undefined; size: number; radius?: number }

/** Shows the picture of an account, or the colours of its address until the picture is loaded. */
export function KitAvatar({ address = '', image, size, radius }: KitAvatarProps): ReactElement {
  const [failed, setFailed] = useState<string>()
  const style = { inlineSize: size, blockSize: size, borderRadius: radius, background: avatarGradient(address) }
  return (
    <span className="latchkey-avatar" style={style} aria-hidden="true">
      {image !== undefined && image !== failed && <img src={image} alt="" onError={() => setFailed(image)} />}
    </span>
  )
}
