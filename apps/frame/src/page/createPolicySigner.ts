import { isLatchkeyError } from '@latchkey/protocol'
import { rpcErrors } from '../chain/rpcError.ts'
import type { FrameNetwork } from '../frameConfig.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import { limitScreen } from '../screens/policy/limitScreen.ts'
import type { Stage } from '../screens/stage/stage.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'

export type PolicySignerDependencies = {
  readonly holder: Pick<KeyHolder, 'sign' | 'exceededRule' | 'requestSecondDevice' | 'checkSecondDevice'>
  readonly stage: Stage
  readonly networks: readonly FrameNetwork[]
  messages(): Messages
  /** Origin of the page that sends the requests. */
  origin(): string
}

/**
 * Creates a signer that asks a second device about requests beyond the signing policy. The worker verifies the decision:
 * this only shows the screen.
 *
 * @returns a signer that throws RpcError 4001 if the user closes the screen
 */
export function createPolicySigner(dependencies: PolicySignerDependencies): Pick<KeyHolder, 'sign' | 'exceededRule'> {
  const { holder, stage, networks, messages, origin } = dependencies
  return {
    exceededRule: holder.exceededRule,
    async sign(request) {
      try {
        return await holder.sign(request)
      } catch (error) {
        if (!isLatchkeyError(error, 'policy/exceeded')) throw error
        const { rule } = error.context
        const result = await stage.show(
          limitScreen({ messages: messages(), holder, networks, request, origin: origin(), rule }),
        )
        if (result !== 'approved') throw rpcErrors.rejected()
        return holder.sign(request)
      }
    },
  }
}
