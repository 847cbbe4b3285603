import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const automatic = 'automatic recovery'
const own = 'password or passkey'
const [table, apps] = ['custodyTable.test.ts', 'custodyOfApps.test.ts'] as const

/** Row, column and text of each cell of the custody table, and the tests that carry out the attempt. */
const cells: readonly (readonly [who: string, column: string, text: string, file: string, ...titles: string[]])[] = [
  [
    'one machine: its operator, or an intruder',
    automatic,
    'can rebuild the keys',
    table,
    'one machine, automatic recovery: its operator can rebuild the keys',
  ],
  [
    'one machine: its operator, or an intruder',
    own,
    'can’t, but can guess a weak password with all of the data',
    table,
    'one machine, password or passkey (%s): its operator can’t rebuild the keys',
    'one machine, password or passkey: its operator can guess a weak password with all of the data',
  ],
  [
    'two operators: auth alone, or shares alone',
    automatic,
    'can’t',
    table,
    'two operators, automatic recovery: %s alone can’t rebuild the keys',
  ],
  [
    'two operators: auth alone, or shares alone',
    own,
    'can’t',
    table,
    'two operators, password or passkey: %s alone can’t rebuild the keys',
    'two operators, password or passkey: shares alone can’t check a guess of a weak password',
  ],
  [
    'two operators together',
    automatic,
    'can rebuild the keys',
    table,
    'two operators together, automatic recovery: they can rebuild the keys',
  ],
  [
    'two operators together',
    own,
    'can’t, but can guess a weak password together',
    table,
    'two operators together, password or passkey (%s): they can’t rebuild the keys',
    'two operators together, password or passkey: they can guess a weak password',
  ],
  ...[automatic, own].map(
    (column) =>
      [
        'anyone who changes the code of the frame',
        column,
        'can steal at the next visit',
        table,
        'changed code of the frame, %s (%s): it can steal at the next visit',
      ] as const,
  ),
  ...[automatic, own].map(
    (column) =>
      [
        'an app, through the requests of the wallet',
        column,
        'can’t; it can only ask',
        apps,
        'an app that uses the wallet, %s (%s): it can’t get the keys; it can only ask',
      ] as const,
  ),
  [
    'an app, through a login form of its own',
    automatic,
    'can rebuild the keys',
    apps,
    'automatic recovery: it can rebuild the keys',
  ],
  [
    'an app, through a login form of its own',
    own,
    'can’t with passkeys; needs the password, typed in this form',
    apps,
    'passkey: it can’t rebuild the keys',
    'password: it needs the password, typed in this form',
  ],
]

const readText = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8')
const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("'", '’'))

test('each cell of the custody table has its tests, and the table has no other cell [K-10]', async () => {
  const lines = (await readText('../../../../docs/embedded-wallet.md')).split('\n')
  const start = lines.findIndex((line) => /^\| who +\| automatic recovery/.test(line))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  const [head = '', , ...rows] = lines.slice(start, end)
  const columns = cellsOf(head).slice(1)
  const stated = rows.flatMap((row) => {
    const [who, ...texts] = cellsOf(row)
    return texts.map((text, index) => [who, columns[index], text])
  })
  expect(cells.map((cell) => cell.slice(0, 3))).toEqual(stated)
  for (const [, , , file, ...titles] of cells) {
    const code = await readText(`./${file}`)
    for (const title of titles) expect(code).toContain(title)
  }
})
