// Asks a Hub with its own JavaScript client what a repo holds, and prints it as one JSON object.
// Usage: node hub_client.mjs HUB_URL REPO REVISION, with HF_TOKEN and the package in NODE_PATH's folder as MODULES.
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";

const [hubUrl, name, revision] = process.argv.slice(2);
const hub = await import(pathToFileURL(process.env.MODULES + "/@huggingface/hub/dist/index.mjs"));
const asked = { repo: { type: "dataset", name }, hubUrl, revision, accessToken: process.env.HF_TOKEN };

const files = {};
for await (const file of hub.listFiles({ ...asked, recursive: true })) {
	if (file.type !== "file") continue;
	const content = await hub.downloadFile({ ...asked, path: file.path });
	const sha256 = createHash("sha256").update(Buffer.from(await content.arrayBuffer())).digest("hex");
	files[file.path] = { size: file.size, oid: file.oid, lfs: file.lfs?.oid ?? "", sha256 };
}
const info = await hub.datasetInfo({ ...asked, name, additionalFields: ["sha", "cardData"] });
console.log(JSON.stringify({ sha: info.sha, private: info.private, license: info.cardData?.license ?? "", files }));
