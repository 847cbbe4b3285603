/** Prepares what the node tests share; nothing yet. */
export default function setup(): void {}
