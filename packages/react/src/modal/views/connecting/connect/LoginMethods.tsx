import type { ConnectMethod } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useChunk } from '../../../../useChunk.ts'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useIsPrepared } from '../../../shell/isPrepared.ts'
import { socialsOf, useLogin, type LoginConnector } from '../../../login/loginConnector.ts'

/** Apps without a login don't load this block. */
const loadBlock = (): Promise<typeof import('../../../login/LoginBlock.tsx')> => import('../../../login/LoginBlock.tsx')

type LoginMethodsProps = { methods: readonly ConnectMethod[]; namespace?: Namespace }

/** The login methods of the embedded wallet: email and social accounts. */
export function LoginMethods({ methods, namespace }: LoginMethodsProps): ReactElement | null {
  const { modal: t } = useModalMessages()
  const connector = useLogin(namespace)
  const isPrepared = useIsPrepared()
  const block = useChunk(loadBlock)
  if (connector === undefined) return null
  const room = <Room connector={connector} methods={methods} />
  if (block === undefined || isPrepared) return room
  if (block === 'failed') return <p className="hint center">{t.loadFailed}</p>
  return <block.LoginBlock connector={connector} methods={methods} room={room} />
}

/** A placeholder with the height of the logins. */
function Room({ connector, methods }: { connector: LoginConnector; methods: readonly ConnectMethod[] }): ReactElement {
  const { length } = socialsOf(useLatchkey(), connector)
  const rows = Number(methods.includes('email')) + (methods.includes('social') ? Math.min(2, length) : 0)
  return (
    <div className="login-room" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- nothing tells them apart
        <span key={`room ${index}`} />
      ))}
    </div>
  )
}
