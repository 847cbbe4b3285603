import type { FrameNetwork } from '../config.ts'
import { h, icon } from '../screens/dom.ts'
import { button, layOut } from '../screens/layout.ts'
import { shownTime } from '../screens/shownDate.ts'
import { doneBanner } from '../screens/standing.ts'
import type { Screen } from '../screens/stage.ts'
import { screenOf } from '../screens/steps.ts'
import type { Words } from '../words/words.ts'
import type { HolderUser } from '../worker/keyHolder.ts'

/** Where one goes from the account's first page. */
export type HomeAnswer = 'recovery' | 'devices' | 'export' | 'delete' | 'keep' | 'logOut'

export type HomeParts = {
  readonly words: Words
  readonly user: HolderUser
  readonly networks: readonly FrameNetwork[]
  /** What was done just now. */
  readonly done?: string
}

/** Who one is here, what addresses one has, and what can be done about them. */
export function homeScreen({ words, user, networks, done }: HomeParts): Screen<HomeAnswer> {
  const { account, ways, devices, exporting } = words
  return screenOf(({ root, finish }) => {
    const row = (shape: Parameters<typeof icon>[0], name: string, hint: string | undefined, answer: HomeAnswer) =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', class: 'row', on: { click: () => finish(answer) } },
          icon(shape),
          h(
            'span',
            { class: 'text' },
            h('span', { class: 'name' }, name),
            hint === undefined ? undefined : h('span', { class: 'sub' }, hint),
          ),
        ),
      )
    layOut(root, {
      title: account.title,
      content: [
        done === undefined ? undefined : doneBanner(done),
        user.deletionAt === undefined ? undefined : pendingBanner(words, user.deletionAt, () => finish('keep')),
        h('p', { class: 'hint' }, h('bdi', {}, user.email ?? user.userName ?? '')),
        h('section', { class: 'group' }, h('h2', {}, account.addresses), addresses(user, networks)),
        h(
          'section',
          { class: 'group' },
          h('h2', {}, account.security),
          h(
            'ul',
            { class: 'rows' },
            row('key', ways.title, undefined, 'recovery'),
            row('device', devices.title, undefined, 'devices'),
            row('copy', exporting.title, account.exportHint, 'export'),
            user.deletionAt === undefined ? row('warning', account.delete, undefined, 'delete') : undefined,
          ),
        ),
      ],
      actions: [button({ text: account.logOut, look: 'quiet', press: () => finish('logOut') })],
    })
  })
}

/** Each address below the names of the networks that it is for. */
function addresses({ accounts }: HolderUser, networks: readonly FrameNetwork[]): HTMLElement {
  const pairs = accounts.map(({ namespace, address }) => {
    const names = networks.filter(({ chainId }) => chainId.startsWith(`${namespace}:`)).map(({ name }) => name)
    return h('div', {}, h('dt', {}, names.join(', ')), h('dd', { class: 'address' }, address))
  })
  return h('dl', { class: 'facts' }, ...pairs)
}

function pendingBanner({ account, locale }: Words, at: number, keep: () => void): HTMLElement {
  return h(
    'div',
    { class: 'banner', 'data-tone': 'danger' },
    icon('warning'),
    h(
      'div',
      { class: 'group' },
      h('div', {}, h('strong', {}, account.pending), h('p', {}, account.pendingHint(shownTime(at, locale)))),
      button({ text: account.keep, press: keep }),
    ),
  )
}

/** Says what deleting means, and asks once more. */
export function deletionScreen({ account, common }: Words): Screen<'delete' | 'keep'> {
  return screenOf(({ root, finish }) => {
    layOut(root, {
      title: account.deleteTitle,
      content: [h('div', { class: 'banner', 'data-tone': 'danger' }, icon('warning'), h('p', {}, account.deleteHint))],
      actions: [
        button({ text: account.deleteConfirm, look: 'danger', press: () => finish('delete') }),
        button({ text: common.cancel, look: 'quiet', press: () => finish('keep') }),
      ],
    })
  })
}
