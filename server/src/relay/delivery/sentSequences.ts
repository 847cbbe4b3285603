/**
 * The sequences of sent messages, each generation in ascending order. A plain array of numbers takes 1 kB for 128 of them; a
 * set takes 7 kB, which one address could multiply by its 50 sockets with 1,000 subscriptions each.
 */
export type SentSequences = {
  /** The generation that grows. */
  newer: number[]
  /** Those sent before. They are forgotten when the next generation begins. */
  older: number[]
}

/** Creates an empty set. */
export function createSentSequences(): SentSequences {
  return { newer: [], older: [] }
}

/** True if `sequence` is among them. */
export function hasSequence({ newer, older }: SentSequences, sequence: number): boolean {
  return isIn(newer, sequence) || isIn(older, sequence)
}

/** Adds a sequence unless it is present. */
export function addSequence(sent: SentSequences, sequence: number): void {
  if (hasSequence(sent, sequence)) return
  const position = findPosition(sent.newer, sequence)
  if (position === sent.newer.length) sent.newer.push(sequence)
  else sent.newer.splice(position, 0, sequence)
}

/** Removes a sequence if it is present. */
export function removeSequence({ newer, older }: SentSequences, sequence: number): void {
  for (const generation of [newer, older]) {
    if (isIn(generation, sequence)) generation.splice(findPosition(generation, sequence), 1)
  }
}

/**
 * Begins the next generation if the newer one has `size` sequences. It has more after a catch-up, which adds them in
 * ascending order: then the highest `2 * size` are kept.
 */
export function forgetEarliest(sent: SentSequences, size: number): void {
  if (sent.newer.length < size) return
  sent.older = sent.newer.slice(-2 * size)
  sent.newer = []
}

function isIn(generation: readonly number[], sequence: number): boolean {
  return generation[findPosition(generation, sequence)] === sequence
}

/** Finds the first position whose sequence is not lower. Most sequences are higher than all earlier ones. */
function findPosition(generation: readonly number[], sequence: number): number {
  const last = generation.at(-1)
  if (last === undefined || last < sequence) return generation.length
  let [low, high] = [0, generation.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((generation[middle] ?? Infinity) < sequence) low = middle + 1
    else high = middle
  }
  return low
}
