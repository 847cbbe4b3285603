// Compiles devnet/contracts and writes one JSON file per contract. The files are committed: starting never compiles.
//
//   node devnet/scripts/compile.mjs

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const contractsFolder = new URL('../contracts/', import.meta.url)
export const artifactsFolder = new URL('../src/contracts/artifacts/', import.meta.url)

// No metadata after the bytecode: it contains a hash of the sources, so a comment would change every address.
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
}

/**
 * @typedef {{ contract: string, compiler: string, settings: object, abi: object[], bytecode: string }} Artifact
 */

/**
 * Compiles every contract of the folder with the pinned solc.
 *
 * @returns {Promise<Artifact[]>}
 */
export async function compile() {
  const { default: solc } = await import('solc')
  const files = (await readdir(contractsFolder)).filter((file) => file.endsWith('.sol'))
  const sources = Object.fromEntries(
    files.map((file) => [file, { content: readFileSync(new URL(file, contractsFolder), 'utf8') }]),
  )
  const input = {
    language: 'Solidity',
    sources,
    settings: { ...settings, outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
  const problems = output.errors ?? []
  if (problems.length > 0) {
    throw new Error(problems.map((/** @type {any} */ problem) => problem.formattedMessage).join('\n'))
  }
  return files.map((file) => {
    const contract = file.replace('.sol', '')
    const { abi, evm } = output.contracts[file][contract]
    return { contract, compiler: solc.version(), settings, abi, bytecode: `0x${evm.bytecode.object}` }
  })
}

/** @param {string} path */
function readImport(path) {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch (error) {
    return { error: String(error) }
  }
}

/** @param {URL} folder */
export async function readArtifacts(folder = artifactsFolder) {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'))
  return Promise.all(files.map(async (file) => JSON.parse(await readFile(new URL(file, folder), 'utf8'))))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(artifactsFolder, { recursive: true })
  for (const artifact of await compile()) {
    await writeFile(new URL(`${artifact.contract}.json`, artifactsFolder), `${JSON.stringify(artifact, null, 2)}\n`)
    console.log(`${artifact.contract}: ${(artifact.bytecode.length - 2) / 2} bytes`)
  }
}
