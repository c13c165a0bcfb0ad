// Pictures that the server draws, shown in a dialog and saved as files.

import { picture } from "./api.js";
import { dialog, h, put, toast } from "./dom.js";
import { exportButtons } from "./pictures.js";
import { study } from "./play.js";
import { svgFrom } from "./safe.js";
import { path, request } from "./study.js";

/** @param {string} title @param {Record<string, any>} what @param {string} name of the file */
export async function showPicture(title, what, name) {
  const place = h("div.scroll", { tabindex: "0", role: "region", "aria-label": title }, h("p.soft", "Drawing …"));
  dialog(title, [place, h("div.row", exportButtons(() => place.querySelector("svg"), name))], { id: "picturedialog" });
  try {
    const drawn = svgFrom(await picture(study().game.id, { ...request(path(study())), theme: document.documentElement.dataset.theme, ...what }));
    const size = drawn.viewBox.baseVal;
    drawn.setAttribute("width", String(size.width));
    drawn.setAttribute("height", String(size.height));
    put(place, drawn);
  } catch (error) {
    toast(error.message);
    put(place, h("p.fault", error.message));
  }
}
