import type { FrameNetwork } from '../frameConfig.ts'
import { h, createIcon } from '../screens/elements/h.ts'
import { createButton, drawLayout } from '../screens/elements/layout.ts'
import { formatTime } from '../screens/elements/formatDate.ts'
import { doneBanner } from '../screens/elements/drawFailure.ts'
import type { Screen } from '../screens/stage/stage.ts'
import { createScreen } from '../screens/stage/steps.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'
import type { HolderUser } from '../worker/keyHolder.ts'

/** The user's choice on the home screen. */
export type HomeChoice =
  | 'recovery'
  | 'devices'
  | 'permissions'
  | 'policy'
  | 'requests'
  | 'export'
  | 'delete'
  | 'keep'
  | 'logOut'

export type HomeScreenProps = {
  readonly messages: Messages
  readonly user: HolderUser
  readonly networks: readonly FrameNetwork[]
  /** Confirmation of the last action. */
  readonly done?: string
}

/** Shows the login, the addresses and the account actions. */
export function homeScreen({ messages, user, networks, done }: HomeScreenProps): Screen<HomeChoice> {
  const hasPermissions = networks.some(({ smartAccounts }) => smartAccounts?.delegations !== undefined)
  const { account, recoveryMethods, devices, policy, exporting, permissions } = messages
  return createScreen(({ root, finish }) => {
    const row = (shape: Parameters<typeof createIcon>[0], name: string, hint: string | undefined, result: HomeChoice) =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', class: 'row', on: { click: () => finish(result) } },
          createIcon(shape),
          h(
            'span',
            { class: 'text' },
            h('span', { class: 'name' }, name),
            hint === undefined ? undefined : h('span', { class: 'sub' }, hint),
          ),
        ),
      )
    drawLayout(root, {
      title: account.title,
      content: [
        done === undefined ? undefined : doneBanner(done),
        user.deletionAt === undefined ? undefined : drawPendingBanner(messages, user.deletionAt, () => finish('keep')),
        h('p', { class: 'hint' }, h('bdi', {}, user.email ?? user.userName ?? '')),
        h('section', { class: 'group' }, h('h2', {}, account.addresses), drawAddresses(user, networks)),
        h(
          'section',
          { class: 'group' },
          h('h2', {}, account.security),
          h(
            'ul',
            { class: 'rows' },
            row('key', recoveryMethods.title, undefined, 'recovery'),
            row('device', devices.title, undefined, 'devices'),
            hasPermissions ? row('check', permissions.title, undefined, 'permissions') : undefined,
            row('lock', policy.title, undefined, 'policy'),
            row('check', policy.requests, undefined, 'requests'),
            row('copy', exporting.title, account.exportHint, 'export'),
            user.deletionAt === undefined ? row('warning', account.delete, undefined, 'delete') : undefined,
          ),
        ),
      ],
      actions: [createButton({ text: account.logOut, look: 'quiet', press: () => finish('logOut') })],
    })
  })
}

/** Lists each address with the names of its networks. */
function drawAddresses({ accounts }: HolderUser, networks: readonly FrameNetwork[]): HTMLElement {
  const pairs = accounts.map(({ namespace, address }) => {
    const names = networks.filter(({ chainId }) => chainId.startsWith(`${namespace}:`)).map(({ name }) => name)
    return h('div', {}, h('dt', {}, names.join(', ')), h('dd', { class: 'address' }, address))
  })
  return h('dl', { class: 'facts' }, ...pairs)
}

function drawPendingBanner({ account, locale }: Messages, at: number, keep: () => void): HTMLElement {
  return h(
    'div',
    { class: 'banner', 'data-tone': 'danger' },
    createIcon('warning'),
    h(
      'div',
      { class: 'group' },
      h('div', {}, h('strong', {}, account.pending), h('p', {}, account.pendingHint({ date: formatTime(at, locale) }))),
      createButton({ text: account.keep, press: keep }),
    ),
  )
}

/** Explains the deletion and asks for a confirmation. */
export function deletionScreen({ account, common }: Messages): Screen<'delete' | 'keep'> {
  return createScreen(({ root, finish }) => {
    drawLayout(root, {
      title: account.deleteTitle,
      content: [
        h('div', { class: 'banner', 'data-tone': 'danger' }, createIcon('warning'), h('p', {}, account.deleteHint)),
      ],
      actions: [
        createButton({ text: account.deleteConfirm, look: 'danger', press: () => finish('delete') }),
        createButton({ text: common.cancel, look: 'quiet', press: () => finish('keep') }),
      ],
    })
  })
}
