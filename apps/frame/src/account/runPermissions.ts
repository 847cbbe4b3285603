import { createApprovals, createRecipients } from '../approve/createApprovals.ts'
import { createChain } from '../chain/chain.ts'
import { RpcError } from '../chain/rpcError.ts'
import { createPolicySigner } from '../page/createPolicySigner.ts'
import { drawFailure, drawWaiting } from '../screens/elements/drawFailure.ts'
import { messageForUser } from '../screens/failure.ts'
import type { Stage } from '../screens/stage/stage.ts'
import { createScreen } from '../screens/stage/steps.ts'
import { createSmart } from '../smart/smart.ts'
import type { HolderUser } from '../worker/keyHolder.ts'
import { openHolderStore } from '../worker/storage/holderStore.ts'
import { permissionsScreen } from './permissionsScreen.ts'
import type { TopLevelPage } from './topLevelPage.ts'

/** Shows the permissions of all apps. Revoking one sends a transaction; the user approves its fee first. */
export async function runPermissions(page: TopLevelPage, user: HolderUser): Promise<void> {
  const { config, holder, messages, from, show } = page
  const chain = createChain({ config, projectId: from.projectId })
  const smart = createSmart({
    config,
    projectId: from.projectId,
    chain,
    holder,
    store: openHolderStore('latchkey-smart'),
    user: async () => user,
    confirmSwitch: async () => false,
    now: Date.now,
  })
  const origin = (): string => config.origin
  const approve = (stage: Stage) =>
    createApprovals({
      config,
      chain,
      holder: createPolicySigner({ holder, stage, networks: config.networks, messages: () => messages, origin }),
      stage,
      messages: () => messages,
      recipients: createRecipients(),
      readers: smart.readers,
      now: Date.now,
    })
  let notice: string | undefined
  for (;;) {
    const result = await show(permissionsScreen({ messages, list: smart.ownPermissions, done: notice }))
    notice = undefined
    if (result === 'done') return
    const { network, account, context } = result
    const request = { method: 'wallet_revokeExecutionPermission', params: [{ permissionContext: context }] }
    const accounts = [{ namespace: 'eip155', address: account }]
    const outcome = await showProgress(page, (stage) =>
      approve(stage)(request, { origin: config.origin, chainId: network.chainId, accounts }),
    )
    if (outcome.kind === 'done') notice = messages.permissions.revoked
    else if (outcome.kind === 'failed') await show(failureScreen(page, outcome.error))
  }
}

type Outcome = { readonly kind: 'done' | 'rejected' } | { readonly kind: 'failed'; readonly error: unknown }

/** Shows the approval, then a pending screen until the transaction is mined. */
async function showProgress(
  { show, messages }: TopLevelPage,
  run: (stage: Stage) => Promise<unknown>,
): Promise<Outcome> {
  let markDecided = (): void => {}
  const decided = new Promise<void>((resolve) => (markDecided = resolve))
  const stage: Stage = {
    async show(screen) {
      const choice = await show(screen)
      markDecided()
      return choice
    },
  }
  const outcome = run(stage).then(
    (): Outcome => ({ kind: 'done' }),
    // 4001: the user rejected the request (EIP-1193).
    (error: unknown): Outcome =>
      error instanceof RpcError && error.code === 4001 ? { kind: 'rejected' } : { kind: 'failed', error },
  )
  await Promise.race([decided, outcome])
  return show(
    createScreen(({ root, finish }) => {
      drawWaiting(root, { title: messages.permissions.title, hint: messages.common.waiting })
      void outcome.then(finish)
    }),
  )
}

function failureScreen({ messages }: TopLevelPage, error: unknown) {
  const sentence = error instanceof RpcError ? error.message : messageForUser(error, messages)
  return createScreen<'done'>(({ root, finish }) =>
    drawFailure(root, messages, { sentence, leave: () => finish('done') }),
  )
}
