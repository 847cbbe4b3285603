import { createHash, randomInt } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../random.ts'
import { mutateText } from './mutateText.ts'

export type FuzzOutcome = string | readonly string[]

/** Code that takes text from strangers. */
export type FuzzTarget = {
  /** Names the folder of the corpus. */
  name: string
  /** Valid inputs, and others worth changing. */
  starts: readonly string[]
  /**
   * Handles an input.
   *
   * @returns the kind of the outcome, such as an error code, or several properties of it, such as the blocks of code that ran. An
   *   input with a new one joins the corpus.
   * @throws any error if the code has a defect
   */
  run(input: string): FuzzOutcome | Promise<FuzzOutcome>
}

export type FuzzOptions = {
  rounds: number
  /** The folder of all corpora. */
  folder?: string
  seed?: number
}

/** The result of a run. `size` is the number of inputs in the corpus after it. */
export type FuzzResult = { seed: number; size: number; added: number }

const defaultFolder = fileURLToPath(new URL('../../../.latchkey/fuzz/', import.meta.url))

/**
 * Feeds changed inputs to a target. The corpus grows from run to run in `.latchkey/fuzz/NAME`: it has the inputs that had a new
 * outcome, and all that have failed, which each run repeats first. Prints the seed, which `LATCHKEY_SEED` sets.
 *
 * @throws Error with the seed and the file of the input that failed
 * @example await runFuzz({ name: 'chain ids', starts: ['eip155:1'], run: (text) => String(isChainId(text)) }, { rounds: 1_000 })
 */
export async function runFuzz(
  target: FuzzTarget,
  { rounds, folder = defaultFolder, seed = chooseSeed() }: FuzzOptions,
): Promise<FuzzResult> {
  const corpus = join(folder, target.name.replaceAll(' ', '-'))
  await mkdir(corpus, { recursive: true })
  const random = createRandom(seed)
  const inputs: string[] = []
  const kinds = new Set<string>()
  let size = 0
  let added = 0

  async function tryInput(input: string): Promise<void> {
    const path = join(corpus, createHash('sha256').update(input).digest('hex').slice(0, 16))
    let outcome: FuzzOutcome
    try {
      outcome = await target.run(input)
    } catch (cause) {
      await writeFile(path, input)
      throw new Error(`${target.name}: an input failed with seed ${seed}; it is in ${path}`, { cause })
    }
    const fresh = [outcome].flat().filter((kind) => !kinds.has(kind))
    if (fresh.length === 0) return
    for (const kind of fresh) kinds.add(kind)
    inputs.push(input)
    size += 1
    await writeFile(path, input)
    added += 1
  }

  const stored = await Promise.all((await readdir(corpus)).map((name) => readFile(join(corpus, name), 'utf8')))
  for (const input of [...stored, ...target.starts]) await tryInput(input)
  added = Math.max(0, added - stored.length)
  // Kinds that several starts share are worth changing as well.
  inputs.push(...target.starts)
  for (let round = 0; round < rounds; round += 1) await tryInput(mutateText(inputs, random))
  const result = { seed, size, added }
  console.log(`fuzz ${target.name}: ${JSON.stringify({ ...result, rounds, corpus })}`)
  return result
}

function chooseSeed(): number {
  const given = process.env['LATCHKEY_SEED']
  return given === undefined ? randomInt(2 ** 32) : Number(given)
}
