// @ts-check
// Removes the headers from the package of Node: 67 MB for add-ons that are compiled, and the product has none.
import { rmSync } from 'node:fs'
import process from 'node:process'

const headers = `../node_modules/node-${process.platform}-${process.arch}/include`
rmSync(new URL(headers, import.meta.url), { recursive: true, force: true })
