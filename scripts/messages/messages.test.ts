import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkMessages, compileMessages } from '../messages.mjs'
import { root } from '../lib/root.mjs'

const config = {
  locales: ['en', 'ru', 'fr'],
  apps: [
    {
      folder: 'app',
      chunks: [
        { name: 'buttons', groups: ['button'], isBundled: true },
        { name: 'main' },
        { name: 'buy', group: 'buy' },
      ],
    },
  ],
}

const english = {
  button: { connect: 'Connect' },
  home: { title: 'Don’t panic, it is “{name}”', wallets: '{count, plural, one {1 wallet} other {{count} wallets}}' },
  buy: { pay: 'You pay', wait: 'Wait {seconds} s' },
}
const russian = {
  button: { connect: 'Подключить' },
  home: { wallets: '{count, plural, one {{count} кошелёк} few {{count} кошелька} other {{count} кошельков}}' },
  buy: { pay: 'Вы платите', wait: 'Ждите {seconds} с' },
}

async function createRepository(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-messages-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), JSON.stringify(content))
  }
  return folder
}

const readGenerated = (folder: string, path: string): Promise<string> =>
  readFile(join(folder, 'app/src/messages/generated', path), 'utf8')

test('texts without arguments are compiled to strings, others to functions of named arguments', async () => {
  const folder = await createRepository({ 'app/messages/en.json': english })
  await compileMessages(folder, config)
  const code = await readGenerated(folder, 'main/en.ts')
  expect(code).toContain('title: (d) => "Don’t panic, it is “" + d.name + "”"')
  expect(await readGenerated(folder, 'buy/en.ts')).toContain('pay: "You pay"')
  expect(await readGenerated(folder, 'buy/types.ts')).toContain('wait: (args: { seconds: number }) => string')
  expect(await readGenerated(folder, 'main/types.ts')).toContain('wallets: (args: { count: number }) => string')
})

test('plural forms follow the rules of the language', async () => {
  const folder = await createRepository({ 'app/messages/en.json': english, 'app/messages/ru.json': russian })
  await compileMessages(folder, config)
  const code = await readGenerated(folder, 'main/ru.ts')
  expect(code).toContain("pluralRule('ru')")
  expect(code).toContain('few: d.count + " кошелька"')
})

test('all languages of a bundled chunk are in one module, with English for missing texts', async () => {
  const folder = await createRepository({ 'app/messages/en.json': english, 'app/messages/fr.json': {} })
  await compileMessages(folder, config)
  const code = await readGenerated(folder, 'buttons/buttonsTranslations.ts')
  expect(code.match(/connect: "Connect"/g)).toHaveLength(2)
})

test('the check reports missing and stale texts without failing', async () => {
  const stale = { ...russian, buy: { ...russian.buy, old: 'Старое' } }
  const folder = await createRepository({ 'app/messages/en.json': english, 'app/messages/ru.json': stale })
  await compileMessages(folder, config)
  const { problems, report } = await checkMessages(folder, config)
  expect(problems).toEqual([])
  expect(report).toContain('ru.json: home.title is missing')
  expect(report).toContain('ru.json: buy.old is stale')
  expect(await readGenerated(folder, 'buy/ru.ts')).not.toContain('Старое')
})

test.each([
  ['an empty text', ' '],
  ['an argument that English does not have', 'Ждите {minutes}'],
  ['a text without the argument', 'Ждите'],
  ['a malformed text', 'Ждите {seconds'],
])('the check fails for %s', async (_, wait) => {
  const folder = await createRepository({ 'app/messages/en.json': english, 'app/messages/ru.json': { buy: { wait } } })
  const { problems } = await checkMessages(folder, config)
  expect(problems).toContain('app/messages/ru.json: buy.wait is empty, malformed, or has other arguments than English')
})

test('the check reports descriptions of texts that do not exist', async () => {
  const descriptions = { 'buy.pay': 'Above the amount.', 'buy.gone': 'Removed.' }
  const folder = await createRepository({
    'app/messages/en.json': english,
    'app/messages/descriptions.json': descriptions,
  })
  const { report } = await compileMessages(folder, config)
  expect(report).toBe('app/messages/descriptions.json: buy.gone is stale, the text does not exist')
  expect(await readGenerated(folder, 'buy/types.ts')).toContain('/** Above the amount. */')
})

test('the check fails if the compiled texts are out of date', async () => {
  const folder = await createRepository({ 'app/messages/en.json': english })
  await compileMessages(folder, config)
  expect((await checkMessages(folder, config)).problems).toEqual([])
  await writeFile(join(folder, 'app/messages/en.json'), JSON.stringify({ ...english, buy: { pay: 'Pay' } }))
  expect((await checkMessages(folder, config)).problems).toContain(
    'app/src/messages/generated/buy/en.ts is out of date: run `node scripts/messages.mjs`',
  )
})

test('every language of the repository has all texts, and the compiled ones are current', async () => {
  const repositoryConfig = JSON.parse(await readFile(join(root, 'scripts/messages/config.json'), 'utf8'))
  expect(await checkMessages(root, repositoryConfig)).toEqual({ problems: [] })
})
